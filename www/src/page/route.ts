/** Screens with an address of their own. Invites never hold a slash, so the two cannot be confused. */

/** The fragment of the screen that checks a record. */
export const VERIFY = "#/verify";
