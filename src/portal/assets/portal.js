/** Shows the times of a page in the time zone and the language of the reader. */
function showLocalTimes(within) {
  const language = document.documentElement.lang;
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of within.querySelectorAll('time[datetime]'))
    time.textContent = format.format(new Date(time.dateTime));
}

showLocalTimes(document);
