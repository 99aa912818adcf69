/** Whether an answer is a wall against programs instead of the page that was asked for. Pure. */

const TEXT_CHARACTERS_MAX = 1_200

const HEADERS_OF_WALLS: Array<[string, RegExp]> = [
  ['cf-mitigated', /challenge/i],
  ['x-amzn-waf-action', /challenge|captcha/i],
  ['x-datadome', /protected/i],
]

// Only in short pages: a firm may well write about captchas.
const WORDS_OF_WALLS =
  /checking your browser|verif(?:y|ying|ication)[^.]{0,30}\bhuman\b|are you (?:a )?(?:human|robot)|you are (?:not )?a (?:human|robot)|attention required|just a moment|enable javascript and cookies|(?:complete|solve)[^.]{0,30}captcha|security (?:check|verification)|unusual traffic|automated (?:access|requests|queries)|press (?:and|&) hold|ddos protection|access (?:to this (?:page|site) )?(?:has been |is )?(?:denied|blocked)|request (?:was )?blocked|pardon our interruption|incapsula incident|bot (?:protection|detection)/i
const MARKUP_OF_WALLS =
  /challenge-platform|cf-chl|_Incapsula_Resource|captcha-delivery|px-captcha|awsWafCookieDomainList|sgcaptcha/i

export function isChallenge(answer: {
  headers: Record<string, string>
  body: Buffer
  title: string
  text: string
}): boolean {
  if (HEADERS_OF_WALLS.some(([name, pattern]) => pattern.test(answer.headers[name] ?? ''))) return true
  if (answer.text.length > TEXT_CHARACTERS_MAX) return false
  return (
    WORDS_OF_WALLS.test(`${answer.title}\n${answer.text}`) ||
    (answer.text.length < 300 && MARKUP_OF_WALLS.test(answer.body.toString('latin1')))
  )
}
