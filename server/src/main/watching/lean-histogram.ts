/**
 * A histogram of what happens with each request and statement. prom-client's makes an object and a text of the labels for each
 * observation, and finds the bucket by its name; this one counts in arrays, and writes the same series when it is read.
 */
import type { Metric, Registry } from 'prom-client';

export interface LeanHistogramOptions {
  registers: readonly Registry[];
  name: string;
  help: string;
  /** At most two. */
  labelNames?: readonly string[];
  /** Upper bounds, the lowest first. */
  buckets: readonly number[];
}

interface Cell {
  labels: Record<string, string>;
  /** Of each bucket alone, and behind them what lies above the last bound. */
  counts: number[];
  sum: number;
}

type Value = { metricName: string; labels: Record<string, string | number>; value: number };

export class LeanHistogram {
  readonly name: string;
  private readonly options: LeanHistogramOptions;
  /** By the value of the first label, and of the second. */
  private cells = new Map<string, Map<string, Cell>>();

  constructor(options: LeanHistogramOptions) {
    this.options = options;
    this.name = options.name;
    // Without labels there is one series, from the start.
    if (!options.labelNames?.length) this.find('', '');
    // A registry asks its metrics for no more than this class has.
    for (const registry of options.registers) registry.registerMetric(this as unknown as Metric);
  }

  /** Values of labels, in their order, come from closed lists. */
  observe(value: number, first = '', second = ''): void {
    const { buckets } = this.options;
    const cell = this.find(first, second);
    let place = 0;
    while (place < buckets.length && value > (buckets[place] as number)) place += 1;
    cell.counts[place] = (cell.counts[place] as number) + 1;
    cell.sum += value;
  }

  async get() {
    const { name, help } = this.options;
    const cells = [...this.cells.values()].flatMap((bySecond) => [...bySecond.values()]);
    const values = cells.flatMap((cell) => this.tell(cell));
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }

  reset(): void {
    this.cells = new Map();
  }

  private find(first: string, second: string): Cell {
    let bySecond = this.cells.get(first);
    if (!bySecond) {
      bySecond = new Map();
      this.cells.set(first, bySecond);
    }
    let cell = bySecond.get(second);
    if (!cell) {
      const { labelNames = [], buckets } = this.options;
      const given = [first, second];
      const labels = Object.fromEntries(labelNames.map((label, place) => [label, given[place] ?? '']));
      cell = { labels, counts: Array(buckets.length + 1).fill(0), sum: 0 };
      bySecond.set(second, cell);
    }
    return cell;
  }

  /** Each bucket holds those below it, too. */
  private tell({ labels, counts, sum }: Cell): Value[] {
    const { name, buckets } = this.options;
    let count = 0;
    const values = [...buckets, '+Inf'].map((le, place) => {
      count += counts[place] as number;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
    });
    const whole = (ending: string, value: number) => ({ metricName: `${name}_${ending}`, labels, value });
    return [...values, whole('sum', sum), whole('count', count)];
  }
}
