/** One call for all that is asked for within one turn of the event loop: of charges made side by side, one write. */

interface Call<Input, Output> {
  input: Input;
  resolve: (output: Output) => void;
  reject: (error: unknown) => void;
}

/** `work` answers in the order of its inputs; where it fails, all of its calls do. */
export function gatherCalls<Input, Output>(
  work: (inputs: Input[]) => Promise<Output[]>,
): (input: Input) => Promise<Output> {
  let calls: Call<Input, Output>[] = [];

  async function run(): Promise<void> {
    const taken = calls;
    calls = [];
    try {
      const outputs = await work(taken.map(({ input }) => input));
      for (const [place, { resolve }] of taken.entries()) resolve(outputs[place] as Output);
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      calls.push({ input, resolve, reject });
      if (calls.length === 1) setImmediate(() => void run());
    });
}
