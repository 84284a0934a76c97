/** Null for what is no http or https URL. */
export function readUrl(text: string, base?: string): URL | null {
  try {
    const url = new URL(text, base);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
  } catch {
    return null;
  }
}

/** Pages have both, workers the second one, Node none. */
interface Place {
  readonly document?: { readonly baseURI?: string };
  readonly location?: { readonly href?: string };
}

/** What the fetch of this platform resolves a relative URL against. */
export function baseUrl(): string | undefined {
  try {
    // Node's types do not know these globals; each member may be missing.
    const { document, location } = globalThis as Place;
    const base = document?.baseURI ?? location?.href;
    return base !== undefined && URL.canParse(base) ? base : undefined;
  } catch {
    // Deno throws where it was given no location.
    return undefined;
  }
}
