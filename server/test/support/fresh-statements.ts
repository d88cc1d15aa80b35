/** Files share modules: each begins as a new process does, with no statement named and room for all of them. */
import { beforeAll } from 'vitest';
import { forgetPlans } from '../../src/db/prepared-pool.ts';

beforeAll(forgetPlans);
