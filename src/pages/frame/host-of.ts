/** The host and port of a URL, or the text itself. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
