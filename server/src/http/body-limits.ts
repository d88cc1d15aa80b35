/**
 * What is read of a body before it is known who sends it: a stranger may keep many connections open, and each holds its
 * body in memory until it has arrived. No form of ours comes near it.
 */
export const STRANGERS_BODY_BYTES = 64 * 1024;
