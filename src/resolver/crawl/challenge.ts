/** Recognises a browser check that a site sends to programs instead of the page. Pure. */

const TEXT_CHARACTERS_MAX = 1_200

const CHALLENGE_HEADERS: Array<[string, RegExp]> = [
  ['cf-mitigated', /challenge/i],
  ['x-amzn-waf-action', /challenge|captcha/i],
  ['x-datadome', /protected/i],
]

// Tested only on short pages: a company may write about captchas.
const CHALLENGE_WORDS =
  /checking your browser|verif(?:y|ying|ication)[^.]{0,30}\bhuman\b|are you (?:a )?(?:human|robot)|you are (?:not )?a (?:human|robot)|attention required|just a moment|enable javascript and cookies|(?:complete|solve)[^.]{0,30}captcha|security (?:check|verification)|unusual traffic|automated (?:access|requests|queries)|press (?:and|&) hold|ddos protection|access (?:to this (?:page|site) )?(?:has been |is )?(?:denied|blocked)|request (?:was )?blocked|pardon our interruption|incapsula incident|bot (?:protection|detection)/i
const CHALLENGE_MARKUP =
  /challenge-platform|cf-chl|_Incapsula_Resource|captcha-delivery|px-captcha|awsWafCookieDomainList|sgcaptcha/i

export function isChallenge(response: {
  headers: Record<string, string>
  body: Buffer
  title: string
  text: string
}): boolean {
  if (CHALLENGE_HEADERS.some(([name, pattern]) => pattern.test(response.headers[name] ?? ''))) return true
  if (response.text.length > TEXT_CHARACTERS_MAX) return false
  return (
    CHALLENGE_WORDS.test(`${response.title}\n${response.text}`) ||
    (response.text.length < 300 && CHALLENGE_MARKUP.test(response.body.toString('latin1')))
  )
}
