/** Colours by meaning. Without colour the words and symbols say the same. */
export interface Paint {
  good(text: string): string;
  bad(text: string): string;
  wait(text: string): string;
  strong(text: string): string;
  dim(text: string): string;
}

export function createPaint(colour: boolean): Paint {
  const painting = (code: string) => (text: string) =>
    colour && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text;
  return {
    good: painting('1;32'),
    bad: painting('1;31'),
    wait: painting('1;33'),
    strong: painting('1'),
    dim: painting('2'),
  };
}
