/** A row of the table: what was, what is, how many times as much, and how many times it may be. */
export function printRow(title, { one, other, aim, unit }) {
  const ratio = other / one;
  const cells = [one.toFixed(2), other.toFixed(2), `× ${ratio.toFixed(2)}`, `aim × ${aim}`];
  console.log(`  ${title.padEnd(40)}${cells.map((cell) => cell.padStart(12)).join('')}  ${unit}`);
}
