import { lazy } from 'react';
import { arrive } from '../api/reach.ts';

/** A part that is loaded when it is first drawn. */
export const later: typeof lazy = (load) => lazy(() => arrive(load));
