/** Crawlee as a guest: it obeys robots.txt. */
import { crawlWithCrawlee } from './crawlee.ts'
import { serveCrawl } from './measured-crawl.ts'

serveCrawl(crawlWithCrawlee('polite'))
