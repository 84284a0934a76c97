import * as z from 'zod';
import {
  CATALOG_SORTS,
  type CatalogView,
  USUAL_DIRECTIONS,
  WHOLE_CATALOG,
} from '../../core/catalog/browse-ranking.ts';
import { slug } from '../../core/catalog/slug.ts';
import { CATALOG_PAGE } from '../../core/limits.ts';
import { boundedText, parsed, taskText } from './fields.ts';
import { readQuery } from './query-parameters.ts';
import { badRequest, type Reading, readWith } from './reading.ts';

const CONTROL = /\p{Cc}/u;

/** The parameters of /catalog and /catalog/{task}. */
const catalogParameters = z.object({
  task: parsed(taskText, slug, 'must contain a letter or a digit').optional(),
  q: parsed(
    boundedText(CATALOG_PAGE.searchMaxChars),
    (value) => (CONTROL.test(value) ? null : value.trim().toLowerCase()),
    'must not contain control characters',
  ).optional(),
  paid: z.literal('1', 'must be 1').optional(),
  sort: z.enum(CATALOG_SORTS, `must be one of ${CATALOG_SORTS.join(', ')}`).default('rank'),
  dir: z.enum(['asc', 'desc'], 'must be asc or desc').optional(),
});

const NAMES: ReadonlySet<string> = new Set(Object.keys(catalogParameters.shape));

/** A form sends all its fields; empty ones do not filter. `pathTask` is the task of /catalog/{task}, which the query cannot change. */
export function readCatalogRequest(
  query: string,
  tasks: ReadonlyMap<string, unknown>,
  pathTask: string | null,
): Reading<CatalogView> {
  if (query === '') return { kind: 'read', value: { ...WHOLE_CATALOG, task: pathTask } };
  const parameters = readQuery(query, NAMES);
  if (parameters.kind !== 'read') return parameters;
  const given = Object.entries(parameters.value).filter(([, value]) => value.trim() !== '');
  const reading = readWith(catalogParameters, Object.fromEntries(given));
  if (reading.kind !== 'read') return reading;
  const { task = null, q: search = null, paid, sort, dir = null } = reading.value;
  if (task !== null && !tasks.has(task))
    return badRequest('task', 'task must be a task of the catalog; /v1/tasks lists them.');
  const view = { task: pathTask ?? task, search, paidOnly: paid === '1', sort, dir: unusual(sort, dir) };
  return { kind: 'read', value: view };
}

/** The usual direction is left out, so that a view has one address. */
function unusual(sort: CatalogView['sort'], dir: CatalogView['dir']): CatalogView['dir'] {
  return dir === USUAL_DIRECTIONS[sort] ? null : dir;
}

/** The path of a view; its parameters are in a fixed order. */
export function catalogViewPath({ task, search, paidOnly, sort, dir }: CatalogView): string {
  const path = task === null ? '/catalog' : `/catalog/${task}`;
  const said = { q: search, paid: paidOnly ? '1' : null, sort: sort === 'rank' ? null : sort };
  const parameters = Object.entries({ ...said, dir: unusual(sort, dir) }).filter(
    (entry): entry is [string, NonNullable<(typeof entry)[1]>] => entry[1] !== null,
  );
  return parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters)}`;
}
