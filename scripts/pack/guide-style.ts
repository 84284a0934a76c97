/** Measures in points, on A4. */
export const PAGE = {
  width: 595.28,
  height: 841.89,
  left: 62,
  right: 533.28,
  top: 66,
  bottom: 768,
  footer: 803,
};
export const COLUMN = PAGE.right - PAGE.left;

export const INK = {
  text: '#20242a',
  soft: '#5a6069',
  accent: '#13595b',
  line: '#d5cfc2',
  wash: '#f5f2ec',
  note: '#e4efed',
  sun: '#e9b872',
  white: '#ffffff',
} as const;

export const SIZE = { body: 9.8, small: 8.8, code: 7.7, section: 11.5, chapter: 21 } as const;
export const LEADING = { body: 14.4, small: 12.4, code: 10.3 } as const;
