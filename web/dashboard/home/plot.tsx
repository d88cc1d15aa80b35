/** The course of a metric, drawn by hand: every point can be reached, opened, and read as a table. */
import { scaleLinear } from 'd3-scale';
import { curveMonotoneX, line } from 'd3-shape';
import { Suspense, useEffect, useRef, useState } from 'react';
import { numberOf, type Row, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { later } from '../ui/later.tsx';
import { useLocale } from '../ui/locale.tsx';
import { writeMetric } from './metrics.ts';
import type { Point } from './point.ts';
import type { Span } from './span.ts';

const RowsBehind = later(() => import('./rows-behind.tsx'));

/** Until it is known how wide the place is. */
const WIDTH = 960;
const HEIGHT = 220;
const EDGE = { top: 14, right: 14, bottom: 14 };
const TICKS = 4;
/** Room of a letter of a tick's amount, and between it and the lines. */
const LETTER = 6.6;
const GAP = 14;
const LEAST_MINOR = 100;
const DAYS_OF_HOURS = 2;
const DAYS_OF_WEEKS = 120;
const DAY_MS = 86_400_000;

export function Plot({ metric, span, title }: { metric: string; span: Span; title?: string }) {
  const { t, tName } = useLocale();
  const days = (span.to - span.from) / DAY_MS;
  const interval = days <= DAYS_OF_HOURS ? 'hour' : days > DAYS_OF_WEEKS ? 'week' : 'day';
  const query = `${span.query}&metrics=${metric}&interval=${interval}`;
  const read = useRead<{ series: Row[] }>('/v0/reports/timeseries', { query, keep: true });
  const [isTable, setTable] = useState(false);
  const series = read.data?.series ?? [];
  const name = title ?? tName('metric.', metric);
  return (
    <figure className="plot" aria-label={name}>
      {series.length === 0 ? (
        <div className="plot-empty soft">{read.isPending ? '' : t('plot.empty')}</div>
      ) : null}
      {series.map((one) => (
        <Series
          key={textOf(one, 'currency')}
          metric={metric}
          row={one}
          isTable={isTable}
          isHourly={interval === 'hour'}
        />
      ))}
      {series.length > 0 ? (
        <button type="button" className="link-button" onClick={() => setTable(!isTable)}>
          {t(isTable ? 'plot.showPlot' : 'plot.showTable')}
        </button>
      ) : null}
    </figure>
  );
}

function Series(props: { metric: string; row: Row; isTable: boolean; isHourly: boolean }) {
  const { metric, row, isTable, isHourly } = props;
  const locale = useLocale();
  const { zone } = useStore();
  const [opened, setOpened] = useState<Point | null>(null);
  const points = rowsOf(row, 'points').map(toPoint);
  const of = { unit: textOf(row, 'unit'), currency: textOf(row, 'currency') || null };
  const write = (value: number | null) => writeMetric(value, of, locale);
  // The hours of a day would all bear its name.
  const day = ({ from }: Point) => (isHourly ? locale.time(from, zone) : locale.day(from, zone));
  return (
    <>
      {isTable ? (
        <table className="plot-table">
          <thead>
            <tr>
              <th scope="col">{locale.t('column.date')}</th>
              <th scope="col" className="end">
                {locale.tName('metric.', metric)} {of.currency}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.from}>
                <td>
                  {day(point)} {point.complete ? '' : locale.t('plot.unfinished')}
                </td>
                <td className="end amount">
                  {point.value === null ? (
                    write(null)
                  ) : (
                    <button
                      type="button"
                      className="link-button"
                      aria-label={`${day(point)}, ${write(point.value)}`}
                      onClick={() => setOpened(point)}
                    >
                      {write(point.value)}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <Lines
          points={points}
          write={write}
          day={day}
          open={setOpened}
          zone={zone}
          least={of.unit === 'minor' ? LEAST_MINOR : 1}
          isWhole={of.unit !== 'ratio'}
        />
      )}
      <Suspense fallback={null}>
        {opened ? (
          <RowsBehind
            metric={metric}
            currency={of.currency}
            name={day(opened)}
            point={opened}
            close={() => setOpened(null)}
          />
        ) : null}
      </Suspense>
    </>
  );
}

const toPoint = (row: Row): Point => ({
  from: numberOf(row, 'from') ?? 0,
  to: numberOf(row, 'to') ?? 0,
  value: numberOf(row, 'value'),
  complete: row.complete !== false,
});

interface LinesProps {
  points: readonly Point[];
  write: (value: number | null) => string;
  day: (point: Point) => string;
  open: (point: Point) => void;
  zone: string;
  /** What the axis reaches to where all is less. */
  least: number;
  /** There are no parts of a cent, nor of an order. */
  isWhole: boolean;
}

function Lines({ points, write, day, open, zone, least, isWhole }: LinesProps) {
  const { t } = useLocale();
  const [place, width] = useWidth();
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const y = scaleLinear(
    [Math.min(0, ...values), Math.max(least, ...values)],
    [HEIGHT - EDGE.bottom, EDGE.top],
  ).nice(TICKS);
  const ticks = y
    .ticks(TICKS)
    .filter((tick) => !isWhole || Number.isInteger(tick))
    .map((tick) => ({ tick, text: write(tick) }));
  const left = GAP + LETTER * Math.max(...ticks.map(({ text }) => text.length));
  const x = scaleLinear([0, Math.max(points.length - 1, 1)], [left, width - EDGE.right]);
  const draw = line<{ index: number; point: Point }>()
    .defined(({ point }) => point.value !== null)
    .x(({ index }) => x(index))
    .y(({ point }) => y(point.value ?? 0))
    .curve(curveMonotoneX);
  const all = points.map((point, index) => ({ index, point }));
  const lastDone = all.findLastIndex(({ point }) => point.complete);
  const [first, last] = [points[0], points.at(-1)];
  return (
    <div ref={place}>
      <svg
        className="plot-lines"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        height={HEIGHT}
        role="group"
        aria-label={t('plot.points')}
      >
        <Ticks ticks={ticks} y={y} from={left} to={width - EDGE.right} />
        <path className="plot-line" d={draw(all.slice(0, lastDone + 1)) ?? ''} />
        <path className="plot-line unfinished" d={draw(all.slice(Math.max(lastDone, 0))) ?? ''} />
        {all.map(({ index, point }) =>
          point.value === null ? null : (
            <circle
              key={point.from}
              className="plot-point"
              cx={x(index)}
              cy={y(point.value)}
              r={5}
              role="button"
              tabIndex={0}
              aria-label={`${day(point)}, ${write(point.value)}`}
              onClick={() => open(point)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' || event.key === ' ') open(point);
              }}
            >
              <title>{`${day(point)}, ${write(point.value)}`}</title>
            </circle>
          ),
        )}
      </svg>
      <figcaption className="plot-legend soft">
        <span>{first ? day(first) : ''}</span>
        <span>{t('list.zone', { zone })}</span>
        {last && !last.complete ? <span className="plot-dash">{t('plot.unfinishedLegend')}</span> : null}
        <span>{last ? day(last) : ''}</span>
      </figcaption>
    </div>
  );
}

function Ticks(props: {
  ticks: ReadonlyArray<{ tick: number; text: string }>;
  y: (value: number) => number;
  from: number;
  to: number;
}) {
  const { ticks, y, from, to } = props;
  return ticks.map(({ tick, text }) => (
    <g key={tick} className="plot-tick" data-zero={tick === 0}>
      <line x1={from} x2={to} y1={y(tick)} y2={y(tick)} />
      <text x={from - GAP} y={y(tick) + 4} textAnchor="end">
        {text}
      </text>
    </g>
  ));
}

/** The lines are drawn as wide as their place, so that letters and points keep their size on a phone. */
function useWidth() {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(WIDTH);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, width] as const;
}
