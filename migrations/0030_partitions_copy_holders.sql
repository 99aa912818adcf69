-- repeat
select copy_pages(2, 1000) as left
