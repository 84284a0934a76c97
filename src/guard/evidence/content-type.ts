const CONTENT_TYPE = /^[\w.+-]{1,40}\/[\w.+-]{1,40}(?:; ?charset=[\w-]{1,20})?$/;

/** Null for any other text of the seller, which may repeat the payment or speak to a model. */
export function plainContentType(text: string | null): string | null {
  return text !== null && CONTENT_TYPE.test(text) ? text : null;
}
