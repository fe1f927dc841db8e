import type { Curve, Point } from "./growth.js";

type Metric = keyof Omit<Point, "count">;

const panel = { width: 300, height: 170, left: 52, right: 12, top: 34, bottom: 34 } as const;
const metrics: readonly { readonly metric: Metric; readonly label: string }[] = [
  { metric: "cpuUs", label: "CPU, µs each" },
  { metric: "peakMb", label: "memory at most, MiB" },
];
/** Told apart in black and white too. */
const strokes: Readonly<Record<string, string>> = {
  ours: 'stroke="#1f6feb" stroke-width="2"',
  floor: 'stroke="#6e7781" stroke-width="1.5" stroke-dasharray="5 4"',
};

const compact = new Intl.NumberFormat("en", { notation: "compact" });
const round = (value: number): string => value.toFixed(1);

/** One panel for each axis and metric; counts on a scale of powers of ten, values from zero. */
export function growthSvg(curves: readonly Curve[]): string {
  const axes = [...new Set(curves.map(({ axis }) => axis))];
  const width = axes.length * panel.width;
  const height = metrics.length * panel.height + 24;
  const panels = metrics.flatMap(({ metric, label }, row) =>
    axes.map((axis, column) => {
      const own = curves.filter((curve) => curve.axis === axis);
      const place = `translate(${column * panel.width} ${row * panel.height})`;
      return `<g transform="${place}">${panelOf(own, metric, `${label}: ${axis}`)}</g>`;
    }),
  );
  const legend = ["ours", "floor"].map((name, index) => {
    const x = 20 + index * 110;
    return `<line x1="${x}" x2="${x + 28}" y1="${height - 12}" y2="${height - 12}" ${strokes[name]}/><text x="${x + 34}" y="${height - 8}">${name}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11" fill="#24292f" role="img" aria-label="CPU and memory over sessions, deltas and turns">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...panels,
    ...legend,
    "</svg>\n",
  ].join("\n");
}

function panelOf(curves: readonly Curve[], metric: Metric, title: string): string {
  const { width, height, left, right, top, bottom } = panel;
  const counts = curves[0]?.points.map(({ count }) => count) ?? [];
  const values = curves.flatMap(({ points }) => points.flatMap((point) => point[metric] ?? []));
  const most = Math.max(...values, 0) * 1.1 || 1;
  const first = Math.log10(Math.max(1, counts[0] ?? 1));
  const span = Math.log10(Math.max(1, counts.at(-1) ?? 1)) - first || 1;
  const x = (count: number): number => left + ((Math.log10(count) - first) / span) * (width - left - right);
  const y = (value: number): number => height - bottom - (value / most) * (height - top - bottom);
  const lines = curves.map(({ contender, points }) => {
    const at = points.flatMap((point) => {
      const value = point[metric];
      return value === null ? [] : [`${round(x(point.count))},${round(y(value))}`];
    });
    return `<polyline fill="none" ${strokes[contender] ?? 'stroke="#000"'} points="${at.join(" ")}"/>`;
  });
  const ticks = counts.map(
    (count) =>
      `<text x="${round(x(count))}" y="${height - bottom + 16}" text-anchor="middle">${compact.format(count)}</text>`,
  );
  const scale = [0, most / 2, most].map(
    (value) =>
      `<text x="${left - 6}" y="${round(y(value) + 4)}" text-anchor="end">${value < 10 ? value.toFixed(1) : Math.round(value)}</text><line x1="${left}" x2="${width - right}" y1="${round(y(value))}" y2="${round(y(value))}" stroke="#d0d7de"/>`,
  );
  return [`<text x="${left}" y="18" font-weight="bold">${title}</text>`, ...scale, ...ticks, ...lines].join("");
}
