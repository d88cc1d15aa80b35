import { Fragment } from 'react';

/** A word of this length may not fit in a line. */
const LONG = 16;
/** Behind these a line ends as in an address that is printed. */
const JOINTS = /(?<=[@._+/-])(?=[^@._+/-])/;

/** The parts of a text between which a line may end, where a long word of it has joints. */
export const splitAtJoints = (text: string): string[] =>
  text.split(/(?<=\s)/).flatMap((word) => (word.length > LONG ? word.split(JOINTS) : [word]));

/** A text in which a long word, such as an e-mail address, breaks at its joints and not amid a name. */
export function Breakable({ text }: { text: string }) {
  return splitAtJoints(text).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name.
    <Fragment key={at}>
      {at > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ));
}
