import type { Command } from 'commander'

/** True where a program reads along: then standard output has JSON and nothing else. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true
}

export function printJson(value: unknown): void {
  console.log(JSON.stringify(value))
}

/** Says on the same line of the terminal how far it is; says nothing where nobody looks. */
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

/** `[["status", "active"]]` in two columns; what is empty is left out. */
export function printPairs(pairs: ReadonlyArray<readonly [string, string | number | null | undefined]>): void {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(...shown.map(([name]) => name.length))
  for (const [name, value] of shown) console.log(`  ${name.padEnd(width)}  ${value}`)
}
