/** What a person is told to do, where there is no clone: `npm run …` is for one. */
import { COMMANDS } from '../../server/bin/commands.mjs';

const COMMAND = new RegExp(`npm run\\s(${Object.keys(COMMANDS).join('|')})\\b( --(?= ))?`, 'g');
/** Behind settings of its own, as another store beside the first. */
const STARTED = /^([A-Z_]+=\S* .*)npm start$/gm;

/** Commands of operators as the package has them, in its code and in its guides. */
export const nameCommands = (text: string): string =>
  text
    .replace(COMMAND, 'counterfoil $1')
    .replaceAll('npm start --', 'counterfoil start')
    .replace(STARTED, '$1counterfoil start');
