import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeReplies } from './describe-replies.ts';
import { describeRetests } from './describe-retests.ts';
import { describeWatches } from './describe-watches.ts';

const newPostgresPlace = usePostgres();

for (const describeStore of [describeRetests, describeReplies, describeWatches]) {
  describeStore('SQLite', newSqlitePlace);
  describeStore('PostgreSQL', newPostgresPlace);
}
