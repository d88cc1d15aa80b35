/** A figure of one bucket; null where it is not known or has not begun. */
export interface Point {
  from: number;
  to: number;
  value: number | null;
  complete: boolean;
}
