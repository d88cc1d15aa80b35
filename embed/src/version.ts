/** Of the script: raised by its own changes alone, since its files are served for ever under their numbers. */
export const SCRIPT_VERSION = '1.0.0';
