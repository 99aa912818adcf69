import type { Command } from 'commander'

/** Returns true for `--json`: then standard output has JSON and nothing else. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true
}

export function printJson(value: unknown): void {
  console.log(JSON.stringify(value))
}

/** Shows progress on one line of the terminal; shows nothing where there is no terminal. */
export class ProgressLine implements Disposable {
  #isShown = false

  show(text: string): void {
    if (!process.stderr.isTTY) return
    process.stderr.write(`\r\u001b[2K${text}`)
    this.#isShown = true
  }

  [Symbol.dispose](): void {
    if (this.#isShown) process.stderr.write('\r\u001b[2K')
  }
}

/** Prints names and values in two columns, without empty values. */
export function printPairs(pairs: ReadonlyArray<readonly [string, string | number | null | undefined]>): void {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(...shown.map(([name]) => name.length))
  for (const [name, value] of shown) console.log(`  ${name.padEnd(width)}  ${value}`)
}
