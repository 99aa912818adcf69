/** The script of the site's pages. Each part looks for its elements and does nothing where there are none. */

import { followContents } from './contents.ts'
import { offerCopies } from './copy.ts'
import { showExamples } from './examples.ts'
import { chooseLanguages } from './languages.ts'
import { openSearch } from './search.ts'
import { applyTheme } from './theme.ts'

applyTheme()
chooseLanguages()
offerCopies()
followContents()
openSearch()
showExamples()
