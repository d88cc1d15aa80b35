/** `completion`: what a shell needs to complete words, which it asks this program for. */
import { Argument, type Command } from 'commander';
import { type Own, withExample } from '../own-command.ts';

const ASKED = '__complete';

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_counterfoil() {
  local IFS=$'\\n'
  COMPREPLY=($(counterfoil ${ASKED} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _counterfoil counterfoil`,
  zsh: `#compdef counterfoil
_counterfoil() {
  local -a found
  found=(\${(f)"$(counterfoil ${ASKED} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
if [[ "$funcstack[1]" == _counterfoil ]]; then _counterfoil "$@"; else compdef _counterfoil counterfoil; fi`,
  fish: `function __counterfoil_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (counterfoil ${ASKED} -- $words[2..-1] 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c counterfoil -f -a '(__counterfoil_complete)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName counterfoil -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($wordToComplete -eq '') { $words += '' }
  counterfoil ${ASKED} -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`,
};

export function addCompletion({ io, program }: Own): void {
  const command = program
    .command('completion')
    .description('print what a shell needs to complete these commands')
    .addArgument(new Argument('<shell>', 'which').choices(Object.keys(SCRIPTS)));
  withExample(command, 'counterfoil completion bash');
  command.action((shell: string) => io.out(SCRIPTS[shell] ?? ''));
  program
    .command(ASKED, { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      for (const word of complete(program, words)) io.out(word);
    });
}

/** What the last of the words may become. */
function complete(program: Command, words: readonly string[]): string[] {
  const before = words.slice(0, -1).filter((word) => !word.startsWith('-'));
  const last = words.at(-1) ?? '';
  let command = program;
  let depth = 0;
  for (const word of before) {
    const next = command.commands.find((one) => one.name() === word);
    // What follows a word that is none of ours, nobody knows; after a verb come its ids.
    if (!next && command.commands.length > 0) return [];
    if (!next) break;
    command = next;
    depth += 1;
  }
  const candidates = last.startsWith('-')
    ? listFlags(command)
    : [...listVerbs(command), ...listChoices(command, before.length - depth)];
  return candidates.filter((one) => one.startsWith(last)).sort();
}

const listFlags = (command: Command) => [...command.options.map(({ long }) => long ?? ''), '--help'];

const listVerbs = (command: Command) =>
  command.commands.map((one) => one.name()).filter((name) => name !== ASKED);

const listChoices = (command: Command, at: number) => command.registeredArguments[at]?.argChoices ?? [];
