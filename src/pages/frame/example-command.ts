import type { Service } from '../../core/catalog/read-catalog.ts';
import { formatUsd } from '../../core/money/micro-usd.ts';
import type { Links } from '../../wire/responses/links.ts';

/** A check from a shell, of a service that exists; without one in the catalog, a blank to fill in. */
export function checkCommand({ spotCheck }: Pick<Links, 'spotCheck'>, example: Service | null): string {
  const url = exampleUrl(example);
  const price = example === null ? '<USD>' : formatUsd(example.price);
  return `curl -s '${spotCheck}?url=${url}&claimed_price=${price}'`;
}

export function exampleUrl(example: Service | null): string {
  return example?.endpoint.href ?? '<endpoint>';
}
