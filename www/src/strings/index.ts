/** The one door to the catalogues: `t.home.join` is a typed path, so a missing key does not build. */
import { en, type Catalogue } from "./en.ts";

export const catalogues: Record<string, Catalogue> = { en };

export const t: Catalogue = en;
