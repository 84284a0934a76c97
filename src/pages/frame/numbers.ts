/** 1234567 as 1,234,567. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:[0-9]{3})+$)/g, ',');
}

/** A percentage. Tiny shares are not shown as 0 %, and nearly all is not shown as 100 %. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return `0${PERCENT}`;
  if (part === whole) return `100${PERCENT}`;
  const share = (100 * part) / whole;
  if (share < 0.1) return `<0.1${PERCENT}`;
  if (share > 99.9) return `>99.9${PERCENT}`;
  return `${share.toFixed(1)}${PERCENT}`;
}

const PERCENT = '\u00a0%';
