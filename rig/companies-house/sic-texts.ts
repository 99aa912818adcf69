/** The description behind a SIC code, which only the bulk product shows. Learnt from the world that was loaded. */
export class SicTexts {
  readonly #texts = new Map<string, string>()

  learn(text: string): void {
    const code = text.split(' - ')[0]
    if (code) this.#texts.set(code, text)
  }

  textOf(code: string): string {
    return this.#texts.get(code) ?? `${code} - Activities of class ${code}`
  }
}
