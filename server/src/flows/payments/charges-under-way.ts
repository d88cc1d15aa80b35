/** Charges that this process is asking a processor for, by what they are called there. */
import type { ChargesUnderWay } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';

interface UnderWay {
  ended: Promise<boolean>;
  end: (isDecided: boolean) => void;
}

export function createChargesUnderWay(): ChargesUnderWay {
  const byName = new Map<string, UnderWay>();
  const toKey = ({ workspaceId, testMode }: Scope, processorId: string) =>
    `${workspaceId} ${testMode} ${processorId}`;

  return {
    begin(scope, processorId) {
      const key = toKey(scope, processorId);
      let end: UnderWay['end'] = () => {};
      const ended = new Promise<boolean>((resolve) => {
        end = resolve;
      });
      const one = { ended, end };
      byName.set(key, one);
      return (isDecided) => {
        // The same call, made once more meanwhile, has taken its place.
        if (byName.get(key) === one) byName.delete(key);
        end(isDecided);
      };
    },
    async wait(scope, processorId, limitMs) {
      const one = byName.get(toKey(scope, processorId));
      if (!one) return false;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), limitMs);
      });
      return Promise.race([one.ended, late]).finally(() => clearTimeout(timer));
    },
  };
}
