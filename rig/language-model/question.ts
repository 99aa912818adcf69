/** A question as it arrives at a chat endpoint, and the parts of its case that a model would look at. */

export interface AskedQuestion {
  model: string
  task: 'find' | 'check'
  domain: string
  /** The case. */
  text: string
  characters: number
  candidates: Array<{ number: string; name: string }>
  /** The words of the site, each passage as the case has it. */
  passages: string[]
  /** For `check`: the company that the rules matched. */
  matched: string | null
}

interface ChatBody {
  model?: string
  system?: string | Array<{ text: string }>
  messages?: Array<{ role: string; content: string | Array<{ text?: string }> }>
}

export function readQuestion(body: ChatBody): AskedQuestion {
  const toText = (content: string | Array<{ text?: string }> | undefined): string =>
    typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('')
  const messages = body.messages ?? []
  const instructions = toText(body.system ?? messages.find(({ role }) => role === 'system')?.content)
  const text = toText(messages.find(({ role }) => role === 'user')?.content)
  const [head = ''] = text.split('\n\nPassages of the site.')
  return {
    model: body.model ?? '',
    task: instructions.includes('Answer "confirm"') ? 'check' : 'find',
    domain: /^Site: (\S+)/.exec(text)?.[1] ?? '',
    text,
    characters: instructions.length + text.length,
    candidates: [...head.matchAll(/^([A-Z0-9]{8}) ([^·\n]+)/gm)].map(([, number = '', name = '']) => {
      return { number, name: name.trim() }
    }),
    passages: [...text.matchAll(/<<< [^\n]*\n([\s\S]*?)\n>>>/g)].map(([, words = '']) => words),
    matched: /\nThe rules matched: ([A-Z0-9]{8})/.exec(text)?.[1] ?? null,
  }
}
