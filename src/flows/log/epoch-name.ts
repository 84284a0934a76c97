/** The first epoch has the name of the log; a later one adds its number, which is also part of its address. */
export function epochName(origin: string, epoch: number): string {
  return epoch === 1 ? origin : `${origin}/${epoch}`;
}
