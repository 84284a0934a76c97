import { exampleInput } from '../../core/catalog/example-call.ts';
import type { Service } from '../../core/catalog/read-catalog.ts';
import type { TaskIndex } from '../../core/catalog/task-index.ts';
import type { ListedInput } from '../../core/input/listed-input.ts';
import type { Listing } from '../../core/verdict/expected-terms.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';

/** The claim of the catalog, and how its endpoint is called. */
export interface CatalogListing {
  readonly listing: Listing;
  readonly method: ProbeMethod;
  readonly input: ListedInput | null;
}

/** The name of the catalog among the lists. */
const CATALOG = 'catalog';

/** What the catalog claims about a URL. `payeeOf` follows the rotations that a seller has signed. */
export function createCatalogListings(
  { byUrl }: Pick<TaskIndex, 'byUrl'>,
  payeeOf: (service: Service) => Promise<string | null>,
): (normalizedUrl: string) => Promise<readonly CatalogListing[]> {
  // A rotation costs milliseconds of signature checks, and its result cannot change.
  const payees = new Map<Service, string | null>();
  const rotatedPayee = async (service: Service) => {
    const payee = payees.has(service) ? (payees.get(service) ?? null) : await payeeOf(service);
    payees.set(service, payee);
    return payee;
  };
  const claimOf = async (service: Service): Promise<Listing> => ({
    sourceList: CATALOG,
    price: service.price,
    payTo: service.payeeRotations.length === 0 ? service.payTo : await rotatedPayee(service),
    network: service.network.network,
  });
  const listingOf = async (service: Service): Promise<CatalogListing> => ({
    listing: await claimOf(service),
    method: service.method,
    input: exampleInput(service),
  });
  return async (normalizedUrl) => {
    const services = byUrl.get(normalizedUrl);
    return services === undefined ? NOTHING : Promise.all(services.map(listingOf));
  };
}

const NOTHING: readonly CatalogListing[] = [];
