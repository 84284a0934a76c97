import { usePostgres } from '../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../support/storing/stores.ts';
import { describeReplies } from './ports/describe-replies.ts';
import { describeRetests } from './ports/describe-retests.ts';

const newPostgresPlace = usePostgres();

for (const describeStore of [describeRetests, describeReplies]) {
  describeStore('SQLite', newSqlitePlace);
  describeStore('PostgreSQL', newPostgresPlace);
}
