/** `bundle-clone.ts FOLDER`: the service's programs as `npm start` and the operators' commands of a clone run them. */
import path from 'node:path';
import { bundleClone } from './server-bundle.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('bundle-clone.ts needs the folder that it writes to');
await bundleClone(path.resolve(folder));
