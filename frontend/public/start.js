// Loads what the first view does not need after the first paint, or after one second if the browser
// reports no paint, so that the page itself gets the bandwidth first: the addresses in
// `data-later`, and the site code. The server puts this script into the documents: a file of its
// own would need a second connection before the first paint.
const painted = new Promise((done) => {
  new PerformanceObserver(done).observe({ type: 'paint', buffered: true });
  setTimeout(done, 1000);
});
painted.then(() => {
  for (const element of document.querySelectorAll('[data-later]')) {
    element.setAttribute('href', element.dataset.later);
  }
  const files = document.getElementById('app').dataset.code.split(' ');
  for (const href of files) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
  import(files[0]);
});
