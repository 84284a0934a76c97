import { addressKey } from '../../src/core/access/caller-key.ts';
import type { Metered } from '../../src/core/access/quota.ts';
import { type Violation, violation } from '../chaos/check/violation.ts';
import { groupBy } from '../chaos/group-by.ts';
import type { FreeKind, FreeUse } from '../chaos/journal.ts';
import { callerAddress } from '../world/callers.ts';
import { SECRET } from '../world/replicas.ts';

export interface CounterNote {
  readonly key: string;
  readonly window: string;
  readonly used: number;
}

const METERED: Readonly<Record<FreeKind, Metered>> = {
  lookup: 'lookup',
  check: 'spot_check',
  dry_run: 'dry_run',
};

/** Every caller's counter is what the caller was granted: nothing lost, nothing counted twice, in either direction. */
export function checkQuotas(
  uses: readonly FreeUse[],
  counters: readonly CounterNote[],
  callers: number,
): Violation[] {
  const granted = groupBy(uses, ({ kind, caller, day }) => `${keyOf(kind, caller)} ${day}`);
  const counted = new Map(counters.map(({ key, window, used }) => [`${key} ${window}`, used]));
  const days = new Set(uses.map(({ day }) => day));
  return Array.from({ length: callers }, (_, caller) =>
    KINDS.flatMap((kind) =>
      [...days].flatMap((day) => {
        const row = `${keyOf(kind, caller)} ${day}`;
        const [told, kept] = [granted.get(row)?.length ?? 0, counted.get(row) ?? 0];
        return told === kept
          ? []
          : [
              violation('a quota is not what was granted', {
                caller,
                kind,
                day,
                granted: told,
                counted: kept,
              }),
            ];
      }),
    ),
  ).flat();
}

const KINDS: readonly FreeKind[] = ['lookup', 'check', 'dry_run'];

export function keyOf(kind: FreeKind, caller: number): string {
  return `${addressKey(callerAddress(caller), SECRET)}:${METERED[kind]}`;
}
