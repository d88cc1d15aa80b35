/** A file that takes minutes begins before the others: behind them one worker would go on alone. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = new RegExp(
  [
    'dashboard-axe',
    'dashboard-roles',
    'browser/guides',
    'browser/portal\\.',
    'contract/fuzzer',
    'contract/samples',
    'hostile-strings',
    'guessed-passwords',
    'killed-while-importing',
    'killed-while-restoring',
    'guides-run',
    'packages/packed',
    'lists-cost',
  ].join('|'),
);

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
