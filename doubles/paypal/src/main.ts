/** `npm run double:paypal -- --port 12121 --control-port 12122 --seed 1 --journal file [--now DATE] [--allow-loopback]` */
import { runKind } from '../../core/start.ts';
import { PAYPAL } from './start.ts';

await runKind(PAYPAL, 12121);
