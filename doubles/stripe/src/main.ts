/** `npm run double:stripe -- --port 12111 --control-port 12112 --seed 1 --journal file [--now DATE] [--allow-loopback]` */
import { runKind } from '../../core/start.ts';
import { STRIPE } from './start.ts';

await runKind(STRIPE, 12111);
