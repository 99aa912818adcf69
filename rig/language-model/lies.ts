/** Everything that a model or the network before it may do wrong. */
import type { ModelMind, ModelReply } from './model.ts'
import type { AskedQuestion } from './question.ts'

export interface Lie {
  name: string
  /** True where the endpoint gives no usable answer at all: enough of these in a row open the breaker. */
  isBroken?: boolean
  answer: ModelMind
}

/** A number that no case lists. */
export const INVENTED = '01234567'

/** The most that a model could say in favour of a company: certain, as operator. */
function claim(number: string | null, quote: string | null, more: object = {}): ModelReply {
  return {
    answer: {
      decision: 'match',
      company_number: number,
      role: 'operator',
      quote,
      why: 'The passage names it.',
      certainty: 1,
      ...more,
    },
  }
}

function object({ matched }: AskedQuestion, quote: string | null, more: object = {}): ModelReply {
  return {
    answer: { decision: 'object', company_number: matched, quote, why: 'Another one runs it.', certainty: 1, ...more },
  }
}

/** A lie in both tasks: the model claims a company, or objects to one, with these words. */
const bySaying = (name: string, words: (question: AskedQuestion) => string | null): Lie => ({
  name,
  answer: (question) =>
    question.task === 'find'
      ? claim(question.candidates[0]?.number ?? null, words(question))
      : object(question, words(question)),
})

const PLANTED = /(?:operator|operated by|company)[^.]{0,60}?(\d{8})/i

export const LIES: readonly Lie[] = [
  { name: 'slow', isBroken: true, answer: () => ({ ...claim(null, null), delayMs: 30_000 }) },
  { name: 'hangs in the body', isBroken: true, answer: () => ({ ...claim(null, null), end: 'hang' }) },
  { name: 'cuts the connection', isBroken: true, answer: () => ({ end: 'reset' }) },
  { name: 'fails', isBroken: true, answer: () => ({ status: 500, body: '{"error":{"message":"internal"}}' }) },
  {
    name: 'is busy',
    isBroken: true,
    answer: () => ({ status: 429, headers: { 'retry-after': '3600' }, body: '{"error":{"message":"slow down"}}' }),
  },
  {
    name: 'refuses the key',
    isBroken: true,
    answer: () => ({ status: 401, body: '{"error":{"message":"invalid key"}}' }),
  },
  {
    name: 'sends us to the site',
    isBroken: true,
    answer: ({ domain }) => ({ status: 307, headers: { location: `https://${domain}/v1` }, body: '' }),
  },
  {
    name: 'sends a page',
    isBroken: true,
    answer: () => ({ headers: { 'content-type': 'text/html' }, body: '<html>' }),
  },
  { name: 'sends too much', isBroken: true, answer: () => ({ body: `{"choices":[${'"x",'.repeat(500_000)}]}` }) },
  { name: 'answers in prose', isBroken: true, answer: () => ({ answer: 'The operator is surely the first company.' }) },
  { name: 'answers other JSON', isBroken: true, answer: () => ({ answer: { company: INVENTED, sure: true } }) },
  { name: 'answers a list', isBroken: true, answer: (question) => ({ answer: [toAnswer(question)] }) },
  {
    name: 'is certain in words',
    isBroken: true,
    answer: (question) => ({ answer: { ...toAnswer(question), certainty: 'high' } }),
  },
  {
    name: 'writes a book',
    isBroken: true,
    answer: (question) => ({ answer: { ...toAnswer(question), why: 'so '.repeat(400) } }),
  },
  {
    name: 'invents a number',
    answer: (question) =>
      question.task === 'find'
        ? claim(INVENTED, question.passages[0]?.slice(0, 300) ?? null)
        : object(question, question.passages[0]?.slice(0, 300) ?? null, { company_number: INVENTED }),
  },
  bySaying('quotes what is not there', ({ domain, candidates }) => `${domain} is operated by ${candidates[0]?.name}.`),
  bySaying('quotes nothing', () => null),
  bySaying('quotes one word', ({ candidates }) => candidates[0]?.name.split(' ')[0]?.slice(0, 7) ?? null),
  bySaying(
    'quotes its own instructions',
    ({ candidates }) => `Companies on the register that the site may name: ${candidates[0]?.name}`,
  ),
  bySaying(
    'joins words of two passages',
    ({ passages, candidates }) =>
      `${passages.at(-1)?.slice(0, 60)} ${candidates[0]?.name} ${passages[0]?.slice(0, 60)}`,
  ),
  bySaying(
    'changes a letter of the quote',
    ({ passages }) => passages[0]?.slice(0, 200).replace(/[aeiou]/, 'x') ?? null,
  ),
  bySaying('quotes hidden text', ({ candidates, domain }) => `${domain} is a trading name of ${candidates[0]?.name}`),
  {
    name: 'obeys what the page tells it',
    answer: (question) => {
      const planted = question.passages.find((passage) => PLANTED.test(passage))
      const number = PLANTED.exec(planted ?? '')?.[1] ?? INVENTED
      const quote = planted?.slice(0, 500) ?? `The operator is ${number}.`
      return question.task === 'find' ? claim(number, quote) : object(question, quote)
    },
  },
  {
    name: 'contradicts itself',
    answer: (question) =>
      question.task === 'find'
        ? claim(question.candidates[0]?.number ?? null, question.passages[0] ?? null, {
            role: 'supplier',
            why: 'It does not run it.',
          })
        : object(question, question.passages[0] ?? null, {
            company_number: question.candidates.at(-1)?.number ?? INVENTED,
            why: 'It is right.',
          }),
  },
  {
    name: 'is not certain',
    answer: (question) => ({ answer: { ...toAnswer(question), certainty: 0.79 } }),
  },
  {
    name: 'answers the other task',
    isBroken: true,
    answer: (question) => ({ answer: toAnswer({ ...question, task: question.task === 'find' ? 'check' : 'find' }) }),
  },
  {
    name: 'costs too much',
    answer: (question) => ({ answer: toSilence(question), usage: { input: 40_000_000, output: 9_000_000 } }),
  },
  {
    name: 'says it cost less than nothing',
    answer: (question) => ({ answer: toSilence(question), usage: { input: -5_000_000, output: -5_000_000 } }),
  },
  { name: 'does not say what it cost', answer: (question) => ({ answer: toSilence(question), usage: null }) },
]

function toAnswer(question: AskedQuestion): object {
  const quote = question.passages[0]?.slice(0, 300) ?? null
  const reply =
    question.task === 'find' ? claim(question.candidates[0]?.number ?? null, quote) : object(question, quote)
  return reply.answer as object
}

const toSilence = ({ task }: AskedQuestion): object => ({
  decision: task === 'find' ? 'silent' : 'unsure',
  ...(task === 'find' ? { role: 'none' } : {}),
  company_number: null,
  quote: null,
  why: 'The passages do not say.',
  certainty: 0.5,
})
