/** Paints an SVG text as a PNG; null when too many pictures wait already, or when it cannot be painted. */
export type PaintPicture = (svg: string) => Promise<Buffer | null>;
