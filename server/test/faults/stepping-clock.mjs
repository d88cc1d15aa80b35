/**
 * Loaded first into a process (`--import`), sets its system clock beside the real one: CLOCK_STEPS_MS, by commas, of
 * which each SIGUSR2 takes the next. Timers and `performance.now` go on, as they do when a machine's clock is set.
 */
const steps = (process.env.CLOCK_STEPS_MS ?? '0').split(',').map(Number);
const RealDate = globalThis.Date;

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + steps[0]);
    else super(...given);
  }
  static now() {
    return RealDate.now() + steps[0];
  }
};

process.on('SIGUSR2', () => {
  steps.shift();
  console.log(`the clock is off by ${steps[0]} ms`);
});
