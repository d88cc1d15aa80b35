/** A file that takes minutes begins before the others: behind them one worker would go on alone. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = /dashboard-axe|contract\/fuzzer|hostile-strings|contract\/samples/;

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
