import { chainOfTheFile } from '../support/paying/paying-chain.ts';
import { usePostgres } from '../support/storing/postgres-places.ts';
import { describeCrashMatrix, useRelay } from './describe-crash-matrix.ts';

const chain = await chainOfTheFile();

describeCrashMatrix('PostgreSQL', chain, useRelay(chain, usePostgres()));
