-- repeat
select copy_pages(2, 50) as left
