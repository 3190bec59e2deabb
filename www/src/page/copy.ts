/**
 * Copying without the clipboard API, which plain-http pages do not have.
 */

/** Copies the field's text. False where the person has to do it: the text is then selected. */
export async function copyField(field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return legacyCopy();
  }
}

function legacyCopy(): boolean {
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  }
}
