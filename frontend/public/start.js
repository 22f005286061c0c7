// Loads the site code after first paint, or after one second if the browser reports no paint, so
// that the page itself gets the bandwidth first.
const painted = new Promise((done) => {
  new PerformanceObserver(done).observe({ type: 'paint', buffered: true });
  setTimeout(done, 1000);
});
painted.then(() => {
  const files = document.getElementById('app').dataset.code.split(' ');
  for (const href of files) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
  import(files[0]);
});
