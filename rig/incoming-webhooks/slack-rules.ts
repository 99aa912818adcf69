/** The rules of Slack for a message of an incoming webhook, of the blocks that we use. */
interface Text {
  type?: unknown
  text?: unknown
  emoji?: unknown
  verbatim?: unknown
}
interface Block {
  type?: unknown
  text?: Text
  elements?: Text[]
}

const BLOCKS_MAX = 50
const TEXT_MAX = 3_000
const HEADER_MAX = 150
const MEMBERS = new Set(['text', 'blocks', 'unfurl_links', 'unfurl_media'])

/** Returns Slack's word for what is wrong; null when nothing is. */
export function findSlackProblem(body: string): string | null {
  let message: { text?: unknown; blocks?: unknown }
  try {
    message = JSON.parse(body) as typeof message
  } catch {
    return 'invalid_payload'
  }
  if (Object.keys(message).some((member) => !MEMBERS.has(member))) return 'invalid_payload'
  if (typeof message.text !== 'string' || message.text === '') return 'no_text'
  if (!Array.isArray(message.blocks) || message.blocks.length === 0) return 'invalid_blocks'
  if (message.blocks.length > BLOCKS_MAX) return 'invalid_blocks'
  return (message.blocks as Block[]).every(isBlock) ? null : 'invalid_blocks'
}

function isBlock({ type, text, elements }: Block): boolean {
  if (type === 'header') return text?.type === 'plain_text' && isText(text, HEADER_MAX)
  if (type === 'section') return text !== undefined && isText(text, TEXT_MAX)
  if (type === 'context')
    return Array.isArray(elements) && elements.length <= 10 && elements.every((one) => isText(one, TEXT_MAX))
  return false
}

function isText({ type, text, emoji, verbatim }: Text, max: number): boolean {
  if (typeof text !== 'string' || text.length === 0 || text.length > max) return false
  if (type === 'plain_text') return verbatim === undefined
  return type === 'mrkdwn' && emoji === undefined
}
